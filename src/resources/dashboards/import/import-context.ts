import type { ImportNote, ImportReference } from '../../../contract/dashboard-import.ts';

/** What of a tenant documents can refer to. */
export interface KnownNames {
  sources: readonly { id: string; name: string; kind: string; tables: readonly string[] }[];
  connections: readonly { id: string; name: string }[];
  dashboards: readonly { id: string; name: string }[];
}

export interface Mapping {
  sources?: Readonly<Record<string, string>> | undefined;
  connections?: Readonly<Record<string, string>> | undefined;
}

interface Wanted {
  /** As the document writes it: an id, a name or a table. */
  key: string;
  name?: string;
  /** What refers to it can do without. */
  isOptional?: boolean;
}

/** What an import may leave out: the sentence that says why. */
export class NotTaken extends Error {}

/** Finds what a document refers to, and remembers what it referred to and what of it was not taken. */
export class ImportContext {
  readonly known: KnownNames;
  readonly notes: ImportNote[] = [];
  readonly #mapping: Mapping;
  readonly #references = new Map<string, ImportReference>();
  /** By the ids of the document, where it says them. */
  readonly #names = new Map<string, string>();

  constructor(known: KnownNames, mapping: Mapping) {
    this.known = known;
    this.#mapping = mapping;
  }

  get references(): ImportReference[] {
    return [...this.#references.values()];
  }

  /** The document calls what has this id so. */
  name(id: string, name: string): void {
    this.#names.set(id, name);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  leftOut(subject: string, message: string): void {
    this.notes.push({ kind: 'left_out', subject, message });
  }

  changed(subject: string, message: string): void {
    this.notes.push({ kind: 'changed', subject, message });
  }

  /** Id of the source; throws `NotTaken` if it is none of the tenant's. */
  source(wanted: Wanted): string {
    const id = this.sourceIfKnown(wanted);
    if (id === undefined)
      throw new NotTaken(`Its source “${wanted.name ?? this.nameOf(wanted.key)}” is not mapped to a source here.`);
    return id;
  }

  sourceIfKnown({ key, name = this.nameOf(key), isOptional = false }: Wanted): string | undefined {
    const { sources } = this.known;
    const given = this.#mapping.sources?.[key];
    const found =
      sources.find(({ id }) => id === given) ??
      (given === undefined ? (sources.find(({ id }) => id === key) ?? sourceLike(sources, name)) : undefined);
    return this.#noted('source', { key, name, isOptional }, found?.id);
  }

  connection({ key, name = this.nameOf(key) }: Wanted): string {
    const { connections } = this.known;
    const given = this.#mapping.connections?.[key];
    const [only, ...others] = connections;
    const found =
      connections.find(({ id }) => id === given) ??
      (given === undefined
        ? (connections.find(({ id }) => id === key) ??
          onlyOne(connections.filter((one) => isSameName(one.name, name))) ??
          (others.length === 0 ? only : undefined))
        : undefined);
    const id = this.#noted('connection', { key, name, isOptional: false }, found?.id);
    if (id === undefined) throw new NotTaken(`Its connection “${name}” is not mapped to a connection here.`);
    return id;
  }

  #noted(kind: ImportReference['kind'], { key, name, isOptional }: Required<Wanted>, id: string | undefined) {
    const place = `${kind} ${key}`;
    const before = this.#references.get(place);
    const optional = isOptional && (before ? before.optional === true : true);
    this.#references.set(place, {
      ...{ kind, key, name, uses: (before?.uses ?? 0) + 1, id: id ?? null },
      ...(optional && { optional: true as const }),
    });
    return id;
  }
}

type KnownSource = KnownNames['sources'][number];

/** By name, by table, or the only one of the kind that the name speaks of. */
function sourceLike(sources: readonly KnownSource[], name: string): KnownSource | undefined {
  const byName = onlyOne(sources.filter((source) => isSameName(source.name, name)));
  if (byName) return byName;
  const table = name.split('.').at(-1) ?? name;
  const byTable = onlyOne(sources.filter(({ tables }) => tables.includes(table)));
  const kind = (['log', 'trace', 'metric'] as const).find((one) => name.toLowerCase().includes(one));
  return byTable ?? onlyOne(sources.filter((source) => source.kind === kind));
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
