import { AppError } from '../../contract/errors.ts';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { PipeSchema } from '../../contract/pipe-schema.ts';
import { type QueryRunner, TelemetryError } from '../../telemetry/ports.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { PipeLifecycle } from '../pipes/pipe-lifecycle.ts';
import type { RecordSample, RecordSampler } from '../pipes/record-sample.ts';

export interface PipeSchemaDeps {
  lifecycle: Pick<PipeLifecycle, 'readableSource'>;
  sampler: RecordSampler;
  runner: QueryRunner;
}

const timeoutMs = 20_000;

/** What the records of a source look like, before a pipe is made of it. */
export class PipeSchemaService {
  readonly #deps: PipeSchemaDeps;

  constructor(deps: PipeSchemaDeps) {
    this.#deps = deps;
  }

  /** Nothing is stored, nor changed at the source. Throws `request_invalid`. */
  async discover(serviceId: string, body: unknown, signal: AbortSignal): Promise<PipeSchema> {
    const { lifecycle, sampler } = this.#deps;
    const pipe = lifecycle.readableSource(body);
    const unfit = unfitText(pipe);
    if (unfit !== undefined) throw new AppError('request_invalid', { public: unfit });
    const answer = await sampler.sample(pipe, serviceId);
    if ('problem' in answer) throw new AppError('request_invalid', { public: answer.problem });
    const { sample } = answer;
    if (!sample) return { fields: [], meta: { sampledRecords: '0' } };
    return { fields: await this.#fieldsOf(sample, signal), meta: { sampledRecords: String(sample.records) } };
  }

  async #fieldsOf(
    { format, text, fields, delimiter }: RecordSample,
    signal: AbortSignal,
  ): Promise<PipeSchema['fields']> {
    const statement = {
      sql: `DESCRIBE TABLE format(${format}, {sample:String})`,
      params: { sample: text },
      settings: {
        schema_inference_make_columns_nullable: 1,
        ...(delimiter !== undefined && { format_csv_delimiter: delimiter }),
      },
    };
    const options = { queryClass: 'interactive' as const, timeoutMs, signal };
    const { columns, rows } = await this.#deps.runner.run(statement, options).catch((error: unknown) => {
      throw isAboutRecords(error) ? new AppError('request_invalid', { public: unreadable }) : toQueryAppError(error);
    });
    const [names = [], types = []] = columns;
    return Array.from({ length: rows }, (_, row) => ({
      name: fields?.[row] ?? String(names[row]),
      ...typeOf(String(types[row])),
    }));
  }
}

const unreadable = 'The first records of the source cannot be read in the format that the source names.';
/** ClickHouse's codes for a text whose structure cannot be derived. */
const structureCodes: ReadonlySet<number | undefined> = new Set([27, 117, 636]);

function isAboutRecords(error: unknown): boolean {
  return error instanceof TelemetryError && structureCodes.has(error.engineCode);
}

function unfitText({ source }: PipeInput): string | undefined {
  if (source?.postgres) {
    return 'source.postgres: the tables of a database have their columns there; POST /pipes/check lists the tables.';
  }
  const { format } = source?.objectStorage ?? {};
  if (format !== 'Parquet' && format !== 'Avro') return undefined;
  return `source.objectStorage.format: fields of ${format} objects are not listed; the objects carry them, and a pipe reads them by name.`;
}

/** The engine breaks long types over lines. */
function typeOf(text: string): { type: string; optional: boolean } {
  const type = text.replace(/\s+/g, ' ').replaceAll('( ', '(');
  const inner = /^Nullable\((.*)\)$/.exec(type)?.[1];
  return { type: inner ?? type, optional: inner !== undefined };
}
