import { Badge, Button, Group } from '@mantine/core';
import { IconArrowLeft, IconPencil, IconTerminal2 } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useRowLinks } from '../row-links/use-row-links.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { numberLookOf } from './number-look.ts';
import { useTileAnswer, useVariables } from './TileAnswers.tsx';
import { TileBody } from './TileBody.tsx';
import { TileDescription } from './TileDescription.tsx';
import type { TileActions } from './TileFrame.tsx';
import classes from './TileFull.module.css';
import { TileNotes } from './TileNotes.tsx';
import type { TileAlerts } from './tile-alerts.ts';
import { displayTypeOf, lineLookOf } from './tile-look.ts';

export interface TileFullProps {
  tileId: string;
  /** Absent when the dashboard has no such tile. */
  tile: Tile | undefined;
  range: ResolvedRange;
  watched: TileAlerts | undefined;
  actions: Pick<TileActions, 'onEdit' | 'onCopyCurl' | 'onExplain' | 'onPart'>;
  onZoom: (fromMs: number, toMs: number) => void;
  onClose: () => void;
}

const noTile = {};

/** One tile alone, as large as the window lets it. Escape leads back to the dashboard. */
export function TileFull({ tileId, tile, range, watched, actions, onZoom, onClose }: TileFullProps) {
  const { answer, background } = useTileAnswer(tileId);
  const links = useRowLinks(tile ?? noTile, useVariables());
  useEscape(onClose);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const backButton = (
    <Button ref={back} variant="default" leftSection={<IconArrowLeft size={14} />} onClick={onClose}>
      Back to the dashboard
    </Button>
  );
  if (!tile) {
    return (
      <EmptyState
        title="This tile no longer exists"
        hint="Someone removed it, or the link is incomplete."
        action={backButton}
      />
    );
  }
  const name = tile.name || 'Untitled tile';
  const { onCopyCurl } = actions;
  return (
    <section className={classes.tile} aria-label={name}>
      <div className={classes.head}>
        {backButton}
        <h2 className={classes.name}>{name}</h2>
        <TileDescription text={tile.description} />
        {watched?.firing ? (
          <Badge size="sm" color="red" variant="outline" c="var(--sb-firing)">
            Firing
          </Badge>
        ) : null}
        <TileNotes answer={answer} firingFromMs={watched?.cutAtMs} onExplain={() => actions.onExplain(tile)} />
        <Group gap={8}>
          {onCopyCurl ? (
            <Button variant="default" leftSection={<IconTerminal2 size={14} />} onClick={() => onCopyCurl(tile)}>
              Copy as curl
            </Button>
          ) : null}
          <Button variant="default" leftSection={<IconPencil size={14} />} onClick={() => actions.onEdit(tile)}>
            Edit
          </Button>
        </Group>
      </div>
      <div className={classes.body}>
        <TileBody
          label={name}
          look={numberLookOf(tile)}
          display={displayTypeOf(tile)}
          {...lineLookOf(tile)}
          answer={answer}
          background={background}
          range={range}
          onZoom={onZoom}
          thresholds={watched?.thresholds}
          periods={watched?.periods}
          onPart={(part) => actions.onPart(tile, part)}
          links={links}
        />
      </div>
    </section>
  );
}

/** Escape that is not meant for something that is open above the page. */
function useEscape(onEscape: () => void): void {
  const call = useRef(onEscape);
  useEffect(() => {
    call.current = onEscape;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || isAbovePage(event.target)) return;
      call.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function isAbovePage(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=menu], [aria-expanded=true]') !== null;
}
