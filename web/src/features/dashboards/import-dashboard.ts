import type { CreateDashboard } from '../../../../src/contract/dashboard.ts';

/** What an exported dashboard creates: its content without the ids of the place where it came from. */
export async function importedDashboard(file: Blob): Promise<CreateDashboard> {
  const value = parse(await file.text());
  const {
    id: _id,
    tiles = [],
    filters = [],
    ...rest
  } = value as Record<string, unknown> & { tiles?: object[]; filters?: object[] };
  return { ...rest, tiles: tiles.map(withoutId), filters: filters.map(withoutId) } as CreateDashboard;
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'name' in value) return value;
  } catch {
    // Reported below, like any file that is not a dashboard.
  }
  throw new Error('The file does not contain a dashboard: it needs at least a name.');
}

function withoutId(value: object): object {
  const { id: _id, ...rest } = value as { id?: unknown };
  return rest;
}
