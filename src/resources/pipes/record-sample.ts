import type { PipeInput } from '../../contract/pipe-input.ts';

/** The first records of a source, as text that the engine can read. */
export interface RecordSample {
  format: 'JSONEachRow' | 'CSV' | 'TabSeparated';
  text: string;
  records: number;
  /** In their order, where the format does not name them. */
  fields?: readonly string[];
  /** Of CSV. */
  delimiter?: string;
}

export type SampleAnswer = { sample: RecordSample | undefined } | { problem: string };

/** Port: looks into a source. Makes and changes nothing there. */
export interface RecordSampler {
  /** `sample` is absent when the source has no record yet; `problem` is a sentence. */
  sample(pipe: PipeInput, serviceId: string): Promise<SampleAnswer>;
}
