/** What this process holds in objects and buffers; what is not collected yet counts too. */
export function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Single bytes, each a view of a large buffer that it shares with 499 others, as sockets hand out what they read. */
export function* bytesOneByOne(count: number, value: number): Generator<Buffer> {
  let read = Buffer.alloc(0);
  for (let at = 0; at < count; at += 1) {
    if (at % 500 === 0) read = Buffer.alloc(65_536, value);
    yield read.subarray(at % 500, (at % 500) + 1);
  }
}
