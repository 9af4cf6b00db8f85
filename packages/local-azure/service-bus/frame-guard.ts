import { endOfValue } from "./bounded-encoding.ts";

const protocolHeader = "AMQP";
const headerBytes = 8;
const smallestFrame = 8;
const saslProtocol = 3;

/**
 * Checks the bytes of one connection before the decoder reads them. It passes on only whole frames. Decoding such a frame takes time and
 * memory in proportion to its size. A frame may have at most `maxFrameBytes`, as the broker announces.
 */
export class FrameGuard {
  readonly #maxFrameBytes: number;
  #pieces: Buffer[] = [];
  #held = 0;
  /** The next frame cannot be checked before this many bytes have arrived. */
  #wanted = 4;
  /** The protocol of the last header. SASL may come first. AMQP is the last. */
  #protocol: number | undefined;

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * Takes the bytes of one read and returns the complete frames. `refusal` describes the fault of the frame after them. Nothing may be read
   * after a fault. An incomplete frame is kept for the next read.
   */
  take(read: Buffer): { readonly passed: Buffer; readonly refusal?: TypeError } {
    this.#pieces.push(read);
    this.#held += read.length;
    if (this.#held < this.#wanted) return { passed: Buffer.alloc(0) };
    const bytes = this.#pieces.length === 1 ? read : Buffer.concat(this.#pieces);
    let position = 0;
    try {
      for (let end = this.#endOfFrame(bytes, 0); end <= bytes.length; end = this.#endOfFrame(bytes, position)) {
        this.#check(bytes.subarray(position, end));
        position = end;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { passed: bytes.subarray(0, position), refusal: error };
    }
    const rest = bytes.subarray(position);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#wanted = this.#endOfFrame(rest, 0);
    return { passed: bytes.subarray(0, position) };
  }

  /** The end of the frame at `start`. If its size has not arrived yet, the end of the size. */
  #endOfFrame(bytes: Buffer, start: number): number {
    if (bytes.length < start + 4) return start + 4;
    if (isHeader(bytes, start)) return start + headerBytes;
    const size = bytes.readUInt32BE(start);
    if (size < smallestFrame) throw new TypeError(`a frame of ${size} bytes is too short`);
    if (size > this.#maxFrameBytes)
      throw new TypeError(`a frame of ${size} bytes is larger than ${this.#maxFrameBytes}`);
    return start + size;
  }

  /** Checks the performative, which the decoder reads. The payload after it is checked when it is read. */
  #check(frame: Buffer): void {
    if (isHeader(frame, 0)) return this.#checkHeader(frame);
    const dataOffset = frame.readUInt8(4) * 4;
    if (dataOffset < smallestFrame || dataOffset > frame.length) {
      throw new TypeError("the data offset leads out of the frame");
    }
    if (dataOffset < frame.length) endOfValue(frame, dataOffset);
  }

  #checkHeader(header: Buffer): void {
    const next = header.readUInt8(4);
    const isFirst = this.#protocol === undefined;
    if (!isFirst && (this.#protocol !== saslProtocol || next === saslProtocol)) {
      throw new TypeError("a protocol header stands among frames");
    }
    this.#protocol = next;
  }
}

/** Whether a protocol header starts there. A frame's size cannot have these bytes, because the frame would have a gigabyte. */
const isHeader = (bytes: Buffer, start: number): boolean =>
  bytes.toString("latin1", start, start + 4) === protocolHeader;
