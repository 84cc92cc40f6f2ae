import type { Tile } from '../../../../src/contract/tile.ts';
import { type Fields, mergeSaid } from './merge-said.ts';
import { draftOf, type TileDraft } from './tile-draft.ts';
import { optionsSaid } from './tile-options.ts';

type Config = NonNullable<Tile['config']>;

/** The query of a tile of raw SQL; what the form does not show stays as long as the display does. */
export function sqlForm(draft: TileDraft, { config, ...before }: Tile): Config {
  const isSame = config?.configType === 'sql' && config.displayType === draft.displayType;
  const stored = isSame ? (config as Fields) : {};
  const given = isSame ? saidOf(draftOf({ ...before, config })) : {};
  // Its parts are those that the contract demands.
  return mergeSaid(stored, given, saidOf(draft)) as Config;
}

function saidOf({ displayType, connectionId, sourceId, sql, numberFormat, onClick, options }: TileDraft): Fields {
  return {
    configType: 'sql',
    displayType,
    connectionId,
    sourceId: sourceId === '' ? undefined : sourceId,
    sqlTemplate: sql,
    numberFormat,
    onClick: displayType === 'table' ? onClick : undefined,
    ...optionsSaid(options, displayType, true),
  };
}
