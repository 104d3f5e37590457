/** The engine was given up by its health checks while a request of ours was there. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';
}
