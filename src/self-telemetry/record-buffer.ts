/** Records that wait for the next flush; when it is full the oldest go. */
export class RecordBuffer {
  readonly #recordsMax: number;
  readonly #onDropped: () => void;
  #records: object[] = [];

  constructor(recordsMax: number, onDropped: () => void) {
    this.#recordsMax = recordsMax;
    this.#onDropped = onDropped;
  }

  add(record: object): void {
    if (this.#records.length >= this.#recordsMax) {
      this.#records.shift();
      this.#onDropped();
    }
    this.#records.push(record);
  }

  take(): object[] {
    const taken = this.#records;
    this.#records = [];
    return taken;
  }
}
