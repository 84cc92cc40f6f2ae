import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ExportFormat, exportFormats, exportRowsMax } from '../../../../src/contract/export-format.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { fetchFile, saveFile } from '../../api/download.ts';
import { CopyCurl } from '../../ui/CopyCurl.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { fieldsQuery } from '../where-editor/source-queries.ts';
import { allColumnsOf, exportBody, exportSentence } from './export-body.ts';
import type { ListView } from './list-columns.ts';
import type { EventSearch } from './search-queries.ts';

export interface ExportButtonProps {
  search: EventSearch;
  view: ListView;
  /** How many events were found, as far as that is known. */
  total: number | undefined;
  disabled: boolean;
}

/** Saves what was found as a file. */
export function ExportButton({ disabled, ...props }: ExportButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ReasonedButton
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<IconDownload size={13} />}
        reason={disabled ? 'Nothing to export.' : undefined}
        onClick={() => setOpened(true)}
      >
        Export
      </ReasonedButton>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Export events">
        <ExportForm {...props} onClose={() => setOpened(false)} />
      </Modal>
    </>
  );
}

const labels: Record<ExportFormat, string> = { csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, one object per line' };

function ExportForm({ search, view, total, onClose }: Omit<ExportButtonProps, 'disabled'> & { onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [content, setContent] = useState('shown');
  const fields = useQuery(fieldsQuery(search.source.id)).data ?? [];
  // What arrives while the dialog is open is not exported.
  const [asked] = useState(search);
  const body = exportBody(asked, view, { format, ...(content === 'all' && { select: allColumnsOf(fields) }) });
  const file = useFile();
  const start = () =>
    file.mutate(body, {
      onSuccess: (name) => {
        showDone(`Saved as ${name}.`);
        onClose();
      },
    });
  return (
    <Stack gap={14}>
      <Text size="sm">{exportSentence(total, view.orderBy)}</Text>
      <Radio.Group label="Format" value={format} onChange={(value) => setFormat(value === 'csv' ? 'csv' : 'ndjson')}>
        <Stack gap={6} mt={6}>
          {exportFormats.map((each) => (
            <Radio key={each} size="xs" value={each} label={labels[each]} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label="Columns" value={content} onChange={setContent}>
        <Stack gap={6} mt={6}>
          <Radio size="xs" value="shown" label="The columns of the list" />
          <Radio size="xs" value="all" label={`All columns of ${search.source.name}`} disabled={fields.length === 0} />
        </Stack>
      </Radio.Group>
      <Text size="xs" c="var(--sb-muted)">
        At most {exportRowsMax.toLocaleString('en-US')} events per file. In CSV, text that a spreadsheet would run as a
        formula gets an apostrophe in front.
      </Text>
      {file.error ? <ErrorNotice error={file.error} /> : null}
      <Group justify="flex-end" gap={8}>
        <Text size="xs" c="var(--sb-muted)" role="status">
          {file.isPending ? `${(file.bytes / 1e6).toFixed(1)} MB received` : ''}
        </Text>
        <CopyCurl value={curlCommand('POST', 'search/export', body)} framed />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={file.isPending} onClick={start}>
          Export
        </Button>
      </Group>
    </Stack>
  );
}

/** One transfer, which ends with the dialog. Answers the name of the saved file. */
function useFile() {
  const [bytes, setBytes] = useState(0);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: async (body: ReturnType<typeof exportBody>) => {
      const abort = new AbortController();
      leaving.current = abort;
      setBytes(0);
      const request = { method: 'POST', body, signal: abort.signal, onProgress: setBytes } as const;
      const file = await fetchFile('search/export', request);
      saveFile(file);
      return file.name;
    },
  });
  return { ...mutation, bytes };
}
