import { Button, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Container } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { isSameGroup } from './edit-sections.ts';
import { groupOf, groupsOf, type TileGroup } from './sections.ts';

export interface MoveTileDialogProps {
  tile: Tile;
  containers: readonly Container[];
  onDone: (group: TileGroup) => void;
  onClose: () => void;
}

/** Asks for the section or tab that a tile belongs to. */
export function MoveTileDialog({ tile, containers, onDone, onClose }: MoveTileDialogProps) {
  const groups = groupsOf(containers);
  const current = groups.findIndex(({ group }) => isSameGroup(group, groupOf(tile, containers)));
  const [chosen, setChosen] = useState(String(current));
  const group = groups[Number(chosen)]?.group;
  return (
    <Modal opened onClose={onClose} title={`Move “${tile.name || 'Untitled tile'}”`}>
      <Stack gap={12}>
        <Select
          label="Section"
          data-autofocus
          data={groups.map(({ label }, index) => ({ value: String(index), label }))}
          value={chosen}
          onChange={(value) => setChosen(value ?? chosen)}
          allowDeselect={false}
        />
        <Button onClick={() => group && onDone(group)}>Move</Button>
      </Stack>
    </Modal>
  );
}
