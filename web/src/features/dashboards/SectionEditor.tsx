import { ActionIcon, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Container } from '../../../../src/contract/dashboard.ts';
import { limits } from '../../../../src/contract/limits.ts';
import { deadEnd } from '../../ui/dead-end.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { movedBy } from './edit-sections.ts';

export interface SectionEditorProps {
  /** A new one has no title yet. */
  container: Container;
  onDone: (container: Container) => void;
  onClose: () => void;
}

/** Title, looks and tabs of a section. */
export function SectionEditor({ container, onDone, onClose }: SectionEditorProps) {
  const [draft, setDraft] = useState(container);
  const change = (patch: Partial<Container>) => setDraft((now) => ({ ...now, ...patch }));
  const { title, collapsed, collapsible = true, bordered = false, tabs = [] } = draft;
  return (
    <Modal opened onClose={onClose} title={container.title ? `Section “${container.title}”` : 'New section'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDone(written(draft));
        }}
      >
        <Stack gap={12}>
          <TextInput
            label="Title"
            required
            data-autofocus
            maxLength={limits.containerIdLength}
            value={title}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <Checkbox
            label="Can be collapsed"
            checked={collapsible}
            onChange={(event) => change({ collapsible: event.currentTarget.checked })}
          />
          <Checkbox
            label="Collapsed when the dashboard is opened"
            description="Tiles of a collapsed section are not read."
            disabled={!collapsible}
            checked={collapsible && collapsed}
            onChange={(event) => change({ collapsed: event.currentTarget.checked })}
          />
          <Checkbox
            label="Border around it"
            checked={bordered}
            onChange={(event) => change({ bordered: event.currentTarget.checked })}
          />
          <TabFields tabs={tabs} onChange={(next) => change({ tabs: next })} />
          <Button type="submit">Apply</Button>
        </Stack>
      </form>
    </Modal>
  );
}

type SectionTab = NonNullable<Container['tabs']>[number];

function TabFields({ tabs, onChange }: { tabs: readonly SectionTab[]; onChange: (tabs: SectionTab[]) => void }) {
  const add = () => onChange([...tabs, { id: crypto.randomUUID(), title: `Tab ${tabs.length + 1}` }]);
  return (
    <Stack gap={6} role="group" aria-label="Tabs">
      <Text size="xs" fw={500}>
        Tabs
      </Text>
      {tabs.map((tab, index) => (
        <Group key={tab.id} gap={4} wrap="nowrap">
          <TextInput
            flex={1}
            required
            aria-label={`Title of tab ${index + 1}`}
            maxLength={limits.containerIdLength}
            value={tab.title}
            onChange={(event) => onChange(tabs.with(index, { ...tab, title: event.currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${tab.title} forward`}
            onClick={() => onChange(movedBy(tabs, tab.id, -1))}
            {...(index === 0 ? deadEnd('It is the first tab.') : {})}
          >
            <IconArrowUp size={15} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${tab.title} back`}
            onClick={() => onChange(movedBy(tabs, tab.id, 1))}
            {...(index === tabs.length - 1 ? deadEnd('It is the last tab.') : {})}
          >
            <IconArrowDown size={15} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${tab.title}`}
            onClick={() => onChange(tabs.filter(({ id }) => id !== tab.id))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Group gap={8}>
        <ReasonedButton
          variant="default"
          reason={
            tabs.length >= limits.tabs ? `There are ${limits.tabs}, the most that a section can have.` : undefined
          }
          onClick={add}
        >
          Add tab
        </ReasonedButton>
        {tabs.length > 0 ? (
          <Text size="xs" c="var(--sb-muted)">
            Tiles of a removed tab go to the first one.
          </Text>
        ) : null}
      </Group>
    </Stack>
  );
}

/** What is as it is by default is not written. */
function written({ id, title, collapsed, collapsible = true, bordered = false, tabs = [] }: Container): Container {
  return {
    ...{ id, title, collapsed: collapsible && collapsed },
    ...(collapsible ? {} : { collapsible }),
    ...(bordered ? { bordered } : {}),
    ...(tabs.length > 0 ? { tabs } : {}),
  };
}
