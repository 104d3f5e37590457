import { ExpositionError } from './exposition.ts';
import { placeOf } from './place.ts';

/** How much of a page is read before it is refused whole. The number of bytes is up to whoever fetches it. */
export interface PageLimits {
  /** Lines of any kind. */
  readonly lines: number;
  /** Sample lines. */
  readonly series: number;
  /** Bytes of a label's name, and of its value as it is written. */
  readonly labelBytes: number;
}

export const NO_LIMITS: PageLimits = {
  lines: Number.POSITIVE_INFINITY,
  series: Number.POSITIVE_INFINITY,
  labelBytes: Number.POSITIVE_INFINITY,
};

/** A page that may well be right, but is larger than the caller wants to read. */
export class PageLimitError extends ExpositionError {
  /** `wanted`: series of the names that a fast read keeps. */
  readonly limit: keyof PageLimits | 'wanted';

  constructor(limit: keyof PageLimits | 'wanted', message: string, line: number, column: number) {
    super(message, line, column);
    this.limit = limit;
  }
}

/** Counts along while a page is read. */
export class LimitCheck {
  readonly limits: PageLimits;
  readonly #bytes: Uint8Array;
  #lines = 0;
  #series = 0;

  constructor(bytes: Uint8Array, limits: PageLimits) {
    this.#bytes = bytes;
    this.limits = limits;
  }

  /** @throws PageLimitError */
  line(at: number): void {
    this.#lines += 1;
    const { lines } = this.limits;
    if (this.#lines > lines) this.#refuse('lines', `the page has more than ${lines} lines`, at);
  }

  /** @throws PageLimitError */
  sample(at: number): void {
    this.#series += 1;
    const { series } = this.limits;
    if (this.#series > series) this.#refuse('series', `the page has more than ${series} series`, at);
  }

  /** How many of the samples are kept. @throws PageLimitError */
  kept(count: number, most: number, at: number): void {
    if (count > most)
      this.#refuse('wanted', `the page has more than ${most} series that signals are read from`, at);
  }

  /** A label's name or value that began at `at`. @throws PageLimitError */
  label(length: number, what: string, at: number): void {
    const { labelBytes } = this.limits;
    if (length <= labelBytes) return;
    this.#refuse('labelBytes', `${what} is ${length} bytes long, more than ${labelBytes}`, at);
  }

  #refuse(limit: PageLimitError['limit'], message: string, at: number): never {
    const { line, column } = placeOf(this.#bytes, at);
    throw new PageLimitError(limit, message, line, column);
  }
}
