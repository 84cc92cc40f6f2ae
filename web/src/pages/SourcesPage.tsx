import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { RejectedForTheirTimes } from '../features/sources/RejectedForTheirTimes.tsx';
import { ConnectionTable, SourceTable } from '../features/sources/SourceTable.tsx';
import { kindLabels } from '../features/sources/source-draft.ts';
import { connectionsQuery } from '../features/sources/source-editing.ts';
import { sourcesQuery } from '../features/where-editor/source-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { MenuItemLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';

/** Every source, and the connections that they read from. */
export function SourcesPage() {
  const sources = useQuery(sourcesQuery);
  const connections = useQuery(connectionsQuery);
  const error = sources.error ?? connections.error;
  return (
    <Page title="Sources" actions={<NewSource />}>
      {error ? <ErrorNotice error={error} onRetry={() => void sources.refetch()} /> : null}
      <RejectedForTheirTimes />
      {sources.data?.length === 0 ? (
        <EmptyState
          title="No sources yet"
          hint="A source defines which table contains logs, traces or metrics and what its columns mean. Charts, searches and alerts read from sources."
        />
      ) : null}
      {sources.isPending || (sources.data && sources.data.length > 0) ? (
        <Panel>
          <Paged label="sources" rows={sources.data}>
            {(rows) => <SourceTable sources={rows} connections={connections.data ?? []} />}
          </Paged>
        </Panel>
      ) : null}
      {connections.data && connections.data.length > 0 ? (
        <Panel title="Connections" description="Databases that sources read from. They are managed through the API.">
          <ConnectionTable connections={connections.data} />
        </Panel>
      ) : null}
    </Page>
  );
}

function NewSource() {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={14} />}>New source</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(kindLabels).map(([kind, label]) => (
          <MenuItemLink key={kind} to="/sources/new" search={{ kind }}>
            {label}
          </MenuItemLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
