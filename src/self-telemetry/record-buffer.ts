/** Records that wait for the next flush; when it is full the oldest go, and are counted. */
export class RecordBuffer {
  readonly #recordsMax: number;
  #records: object[] = [];
  #dropped = 0;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  add(record: object): void {
    if (this.#records.length >= this.#recordsMax) {
      this.#records.shift();
      this.#dropped++;
    }
    this.#records.push(record);
  }

  take(): object[] {
    const taken = this.#records;
    this.#records = [];
    return taken;
  }

  /** Records lost so far because the buffer was full. */
  get dropped(): number {
    return this.#dropped;
  }
}
