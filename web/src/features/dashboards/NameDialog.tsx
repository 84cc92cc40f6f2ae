import { Button, Modal, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';

interface NameDialogProps {
  dashboard: Dashboard;
  onDone: (name: string, tags: string[]) => void;
  onClose: () => void;
}

/** Asks for the name and the tags of a dashboard. */
export function NameDialog({ dashboard, onDone, onClose }: NameDialogProps) {
  const [name, setName] = useState(dashboard.name);
  const [tags, setTags] = useState(dashboard.tags);
  return (
    <Modal opened onClose={onClose} title="Name and tags">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDone(name, tags);
        }}
      >
        <Stack gap={12}>
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TagsInput label="Tags" value={tags} onChange={setTags} />
          <Button type="submit">Apply</Button>
        </Stack>
      </form>
    </Modal>
  );
}
