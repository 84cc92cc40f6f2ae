import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { readDocument } from './read-document.ts';

/** Asks for the exported document: a file, or its text. */
export function DocumentForm({ onRead }: { onRead: (document: unknown) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const read = (given: string) => {
    try {
      onRead(readDocument(given));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Panel
      title="What is to be imported"
      description="A dashboard exported from Signalbox, from HyperDX, or from Grafana (panels of its ClickHouse data source). Nothing is stored before you have seen what becomes of it."
    >
      <Stack gap={12} maw={760}>
        <Group>
          <FileButton accept="application/json" onChange={(file) => void file?.text().then(read)}>
            {(props) => (
              <Button {...props} leftSection={<IconFileImport size={14} />}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="var(--sb-muted)">
            or paste its text:
          </Text>
        </Group>
        <Textarea
          label="JSON"
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(undefined);
          }}
          error={problem}
        />
        <Group>
          <ReasonedButton
            variant="default"
            reason={text.trim() === '' ? 'Choose a file or paste its text.' : undefined}
            onClick={() => read(text)}
          >
            Continue
          </ReasonedButton>
        </Group>
      </Stack>
    </Panel>
  );
}
