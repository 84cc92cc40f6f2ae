import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { instantText } from '../../ui/instant-text.ts';

export interface TileNotesProps {
  answer: TileAnswer | undefined;
  /** From when on it is shown when alerts fired, where not all of the range is. */
  firingFromMs?: number | undefined;
  /** Shows how the answer was read. */
  onExplain: () => void;
}

/** What must not be hidden (groups left out, estimates), and what the answer cost. Opens how it was read. */
export function TileNotes({ answer, firingFromMs, onExplain }: TileNotesProps) {
  const meta = answer?.meta;
  if (!meta) return null;
  const cut = meta.truncated ? `Only some of ${meta.groupsTotal ?? 'many'} groups are shown. ` : '';
  const estimate = meta.exact === false ? 'Approximate values. ' : '';
  const cost = `${(meta.rowsRead ?? 0).toLocaleString('en-US')} rows read in ${Math.round(meta.elapsedMs ?? 0)} ms, cache: ${meta.cache ?? 'off'}`;
  const fired = firingFromMs === undefined ? '' : `Firing alerts are shown from ${instantText(firingFromMs)} on. `;
  const warned = [...new Set(meta.warnings?.map(({ message }) => `${message}. `))].join('');
  const text = `${warned}${cut}${estimate}${fired}${cost}`;
  const loud = text !== cost;
  return (
    <Tooltip label={text} multiline maw={320}>
      <ActionIcon variant="subtle" color={loud ? 'orange' : 'gray'} size="sm" aria-label={text} onClick={onExplain}>
        {loud ? <IconAlertTriangle size={14} /> : <IconInfoCircle size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
