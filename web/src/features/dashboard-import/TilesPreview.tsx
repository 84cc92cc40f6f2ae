import { Title } from '@mantine/core';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { Panel } from '../../ui/Panel.tsx';
import { tileVariables } from '../dashboard-filters/filter-state.ts';
import { DashboardGrid } from '../dashboards/DashboardGrid.tsx';
import { numberLookOf } from '../dashboards/number-look.ts';
import { groupsOf, tilesOf } from '../dashboards/sections.ts';
import tileClasses from '../dashboards/Tile.module.css';
import { TileAnswers, useTileAnswer } from '../dashboards/TileAnswers.tsx';
import { TileBody } from '../dashboards/TileBody.tsx';
import { displayTypeOf } from '../dashboards/tile-look.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';

const nothingChosen = new Map<string, readonly string[]>();

/** The tiles as they would be drawn over the last hour, section by section. */
export function TilesPreview({ dashboard, range }: { dashboard: Dashboard; range: ResolvedRange }) {
  const { containers, filters = [] } = dashboard;
  const variables = tileVariables(filters, nothingChosen);
  const groups = groupsOf(containers).map((one) => ({ ...one, tiles: tilesOf(dashboard, one.group) }));
  return (
    <Panel title="Preview" description="The last hour of your data.">
      {groups
        .filter((group) => group.tiles.length > 0)
        .map(({ label, group, tiles: own }) => (
          <div key={label + JSON.stringify(group)}>
            {group.containerId === undefined ? null : (
              <Title order={3} size="h5" my={8}>
                {label}
              </Title>
            )}
            <TileAnswers question={{ dashboardId: 'import', tiles: own, range, variables }}>
              <DashboardGrid
                tiles={own}
                editing={false}
                onMove={() => undefined}
                renderTile={(tile) => <TilePreview tile={tile} range={range} />}
              />
            </TileAnswers>
          </div>
        ))}
    </Panel>
  );
}

function TilePreview({ tile, range }: { tile: Tile; range: ResolvedRange }) {
  const { answer, background } = useTileAnswer(tile.id);
  const name = tile.name || 'Untitled tile';
  return (
    <section className={tileClasses.tile} aria-label={name}>
      <div className={tileClasses.head}>
        <h4 className={tileClasses.name}>{name}</h4>
      </div>
      <div className={tileClasses.body}>
        <TileBody
          display={displayTypeOf(tile)}
          label={name}
          look={numberLookOf(tile)}
          answer={answer}
          background={background}
          range={range}
        />
      </div>
    </section>
  );
}
