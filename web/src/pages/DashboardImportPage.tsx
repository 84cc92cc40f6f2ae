import { Button, Group, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { DashboardImportRequest } from '../../../src/contract/dashboard-import.ts';
import { limits } from '../../../src/contract/limits.ts';
import { DocumentForm } from '../features/dashboard-import/DocumentForm.tsx';
import { ImportReport } from '../features/dashboard-import/ImportReport.tsx';
import { type ReadDocument, useImport, useImportPreview } from '../features/dashboard-import/import-queries.ts';
import { MappingForm } from '../features/dashboard-import/MappingForm.tsx';
import { TilesPreview } from '../features/dashboard-import/TilesPreview.tsx';
import type { ResolvedRange } from '../features/time-range/time-range.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { CrumbLink } from '../ui/links.tsx';
import { showDone, showFailure } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ReasonedButton } from '../ui/ReasonedButton.tsx';

/** Takes over a dashboard of elsewhere: the document, then what it refers to, what becomes of it, and a look at it. */
export function DashboardImportPage() {
  const [document, setDocument] = useState<ReadDocument>();
  return (
    <Page title="Import a dashboard" crumbs={<CrumbLink to="/dashboards">Dashboards</CrumbLink>}>
      {document ? (
        <ImportSteps document={document} onBack={() => setDocument(undefined)} />
      ) : (
        <DocumentForm onRead={(value) => setDocument({ key: crypto.randomUUID(), value })} />
      )}
    </Page>
  );
}

const hourMs = 3_600_000;

function ImportSteps({ document, onBack }: { document: ReadDocument; onBack: () => void }) {
  const [mapping, setMapping] = useState<NonNullable<DashboardImportRequest['mapping']>>({});
  const [name, setName] = useState<string>();
  const [given] = useDebouncedValue(name?.trim() || undefined, 300);
  const [range] = useState<ResolvedRange>(() => lastHour(Date.now()));
  const rest = { mapping, ...(given === undefined ? {} : { name: given }) };
  const { data: preview, error, isFetching } = useImportPreview(document, rest);
  const navigate = useNavigate();
  const store = useImport();
  const save = () =>
    store.mutate(
      { ...rest, document: document.value },
      {
        onSuccess: ({ data }) => {
          showDone(`“${data.name}” was imported.`);
          void navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: data.id } });
        },
        onError: showFailure,
      },
    );
  const dashboard = preview?.dashboard;
  return (
    <>
      {error ? <ErrorNotice error={error} /> : null}
      {!preview && !error ? <Skeleton height={160} /> : null}
      <Panel>
        <Group align="flex-end" gap={8}>
          {preview ? (
            <TextInput
              label="Name"
              flex={1}
              miw={220}
              maw={420}
              maxLength={limits.nameLength}
              value={name ?? dashboard?.name ?? ''}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          ) : null}
          <Button variant="default" onClick={onBack}>
            Other document
          </Button>
          {preview ? (
            <ReasonedButton
              reason={dashboard && error === null ? undefined : 'The report says what is in the way.'}
              loading={store.isPending || isFetching}
              onClick={save}
            >
              Import
            </ReasonedButton>
          ) : null}
        </Group>
      </Panel>
      {preview ? <MappingForm references={preview.references} mapping={mapping} onChange={setMapping} /> : null}
      {preview ? <ImportReport preview={preview} /> : null}
      {dashboard && dashboard.tiles.length > 0 ? <TilesPreview dashboard={dashboard} range={range} /> : null}
    </>
  );
}

function lastHour(nowMs: number): ResolvedRange {
  return { startMs: nowMs - hourMs, endMs: nowMs };
}
