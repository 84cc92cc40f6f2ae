import { useState } from 'react';
import type { ListColumn } from './list-columns.ts';

type Widths = Readonly<Record<string, number>>;

export const columnWidthMin = 48;
const columnWidthMax = 2000;

/** Widths of columns by expression, kept in this browser for each source: they suit a screen, not a search. */
export function useColumnWidths(sourceId: string): [Widths, (column: ListColumn, px: number | undefined) => void] {
  const [stored, setStored] = useState({ sourceId, widths: readWidths(sourceId) });
  const current = stored.sourceId === sourceId ? stored : { sourceId, widths: readWidths(sourceId) };
  if (current !== stored) setStored(current);
  const change = ({ expression }: ListColumn, px: number | undefined) => {
    setStored(({ widths: { [expression]: _, ...others } }) => {
      const widths = px === undefined ? others : { ...others, [expression]: clamped(px) };
      localStorage.setItem(nameOf(sourceId), JSON.stringify(widths));
      return { sourceId, widths };
    });
  };
  return [current.widths, change];
}

const nameOf = (sourceId: string) => `signalbox-columns-${sourceId}`;

function clamped(px: number): number {
  return Math.round(Math.min(columnWidthMax, Math.max(columnWidthMin, px)));
}

/** What other versions or hands left there is passed over. */
function readWidths(sourceId: string): Widths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(sourceId)) ?? '{}');
    const entries = Object.entries(stored ?? {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
    );
    return Object.fromEntries(entries.map(([expression, px]) => [expression, clamped(px)]));
  } catch {
    return {};
  }
}
