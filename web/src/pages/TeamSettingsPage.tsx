import { Stack, Tabs } from '@mantine/core';
import { IngestionKeys } from '../features/keys/IngestionKeys.tsx';
import { PersonalKeys } from '../features/keys/PersonalKeys.tsx';
import { Members } from '../features/team/Members.tsx';
import { RetentionPanel, TeamPanel } from '../features/team/TeamPanels.tsx';
import { Page } from '../ui/Page.tsx';
import { useUrlState } from '../url-state.ts';

const tabs = [
  { value: 'keys', label: 'API Keys' },
  { value: 'members', label: 'Members' },
  { value: 'team', label: 'Team' },
  { value: 'retention', label: 'Retention' },
];

/** Keys, people and facts of the team; the open tab is in the address. */
export function TeamSettingsPage() {
  const [{ tab = 'keys' }, change] = useUrlState();
  const open = tabs.some(({ value }) => value === tab) ? tab : 'keys';
  return (
    <Page title="Team Settings">
      <Tabs value={open} onChange={(value) => change({ tab: value ?? undefined })} keepMounted={false}>
        <Tabs.List mb={16}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Stack gap={16}>
            <PersonalKeys />
            <IngestionKeys path="ingestion-keys" withRotation />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="team">
          <TeamPanel />
        </Tabs.Panel>
        <Tabs.Panel value="retention">
          <RetentionPanel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
