import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

/** Holds answers against the interface document of the server that gave them. */
export class DocumentedAnswers {
  readonly #document: Document;
  readonly #ajv = new Ajv({ strict: false, discriminator: false });

  constructor(text: string) {
    this.#document = JSON.parse(text);
    this.#ajv.addSchema({ $id: 'doc', ...this.#document });
  }

  /** What the answer does that is not in the document; `undefined` when it is, or when the path is no operation. */
  problemOf(method: string, path: string, answer: { status: number; json: unknown }): string | undefined {
    const template = Object.keys(this.#document.paths)
      .filter((candidate) => this.#document.paths[candidate]?.[method.toLowerCase()])
      .find((candidate) => new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
    if (template === undefined) return undefined;
    const pointer = [
      template,
      method.toLowerCase(),
      'responses',
      answer.status,
      'content',
      'application/json',
      'schema',
    ]
      .map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = this.#ajv.getSchema(`doc#/paths/${pointer}`);
    if (!validate) return `${method} ${template} answers ${answer.status}, which is not documented`;
    if (validate(answer.json)) return undefined;
    return `${method} ${template} answers ${answer.status} in another shape: ${this.#ajv.errorsText(validate.errors)}`;
  }
}
