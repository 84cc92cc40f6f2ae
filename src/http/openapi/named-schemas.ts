/** Gathers schemas that have a title as named components and leaves references in their place. */
export class NamedSchemas {
  readonly components: Record<string, object> = {};

  /** The schema as used in the document: `$ref` if it has a name. */
  place(schema: object): object {
    const title = titleOf(schema);
    if (title === undefined) return this.#inside(schema);
    if (!(title in this.components)) {
      this.components[title] = {};
      this.components[title] = this.#inside(schema);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  #inside(schema: object): object {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.#value(value)]));
  }

  #value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return typeof value === 'object' && value !== null ? this.place(value) : value;
  }
}

/** A `title` that is an object is a property of that name, not a schema's title. */
function titleOf(schema: object): string | undefined {
  return 'title' in schema && typeof schema.title === 'string' ? schema.title : undefined;
}
