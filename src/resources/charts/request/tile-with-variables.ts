import {
  type Substituted,
  substituteVariables,
  type VariableLanguage,
} from '../../../contract/substitute-variables.ts';
import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig } from '../../../contract/tile-config.ts';
import type { TileVariable } from '../../../contract/variables.ts';

/** A tile whose texts hold the values of variables, and where its texts were written. */
export interface TileWithValues {
  tile: TileInput;
  /** The place in the written text at `path` that a place in the text with values comes from. */
  originOf(path: string, position: number): number;
}

const languages: Readonly<Record<string, VariableLanguage>> = {
  ...{
    valueExpression: 'sql',
    countExpression: 'sql',
    field: 'sql',
    groupBy: 'sql',
    orderBy: 'sql',
    having: 'sql',
    select: 'sql',
    fields: 'sql',
  },
  ...{ alias: 'text', markdown: 'markdown', content: 'markdown' },
};

/** Statements of raw SQL replace theirs themselves. */
export function tileWithVariables(tile: TileInput, variables: readonly TileVariable[]): TileWithValues {
  const texts = new Map<string, Substituted>();
  const originOf = (path: string, position: number) => texts.get(path)?.originOf(position) ?? position;
  if (variables.length === 0 || (tile.config && isSqlConfig(tile.config))) return { tile, originOf };
  const { config, series, ...rest } = tile;
  const replace = (
    value: unknown,
    path: string,
    language: VariableLanguage | undefined,
    whereLanguage: VariableLanguage,
  ): unknown => {
    if (typeof value === 'string') {
      if (!language) return value;
      const substituted = substituteVariables(value, language, variables);
      texts.set(path, substituted);
      return substituted.text;
    }
    if (Array.isArray(value))
      return value.map((item, index) => replace(item, `${path}.${index}`, language, whereLanguage));
    if (typeof value !== 'object' || value === null) return value;
    const own = 'whereLanguage' in value && value.whereLanguage === 'sql' ? 'sql' : 'lucene';
    const entries = Object.entries(value).map(([key, part]) => [
      key,
      replace(part, `${path}.${key}`, key === 'where' ? own : languages[key], own),
    ]);
    return Object.fromEntries(entries);
  };
  return {
    tile: {
      ...rest,
      ...(config && { config: replace(config, 'config', undefined, 'lucene') }),
      ...(series && { series: replace(series, 'series', undefined, 'lucene') }),
      // The same keys with other texts.
    } as TileInput,
    originOf,
  };
}
