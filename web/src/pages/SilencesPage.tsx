import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SilenceRecord } from '../../../src/contract/silence.ts';
import { SilenceDialog } from '../features/silences/SilenceDialog.tsx';
import { SilenceTable } from '../features/silences/SilenceTable.tsx';
import { silencesQuery } from '../features/silences/silence-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';

/** Maintenance windows: times in which alerts are evaluated but send no notifications. */
export function SilencesPage() {
  const silences = useQuery(silencesQuery);
  const [edited, setEdited] = useState<SilenceRecord | 'new'>();
  const close = () => setEdited(undefined);
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setEdited('new')}>
      New silence
    </Button>
  );
  return (
    <Page title="Silences" actions={create}>
      {silences.error ? <ErrorNotice error={silences.error} onRetry={() => void silences.refetch()} /> : null}
      {silences.data?.length === 0 ? (
        <EmptyState
          title="No silences yet"
          hint="A silence is a maintenance window: while it is active, matching alerts are evaluated as usual but send no notifications. It happens once, or every week on chosen days."
        />
      ) : null}
      {silences.isPending || (silences.data && silences.data.length > 0) ? (
        <Panel>
          <Paged label="silences" rows={silences.data}>
            {(rows) => <SilenceTable silences={rows} onEdit={setEdited} />}
          </Paged>
        </Panel>
      ) : null}
      {edited ? <SilenceDialog silence={edited === 'new' ? undefined : edited} onClose={close} /> : null}
    </Page>
  );
}
