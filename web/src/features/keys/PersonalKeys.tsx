import { Stack } from '@mantine/core';
import { apiUrl } from '../../api/client.ts';
import { Snippet } from '../../ui/Snippet.tsx';
import { KeyPanel } from './KeyPanel.tsx';

/** Keys with which programs act as the person who made them. */
export function PersonalKeys() {
  return (
    <KeyPanel
      title="Personal API Access Keys"
      description="Your Personal API Access Key lets scripts and tools call the API as you. It can’t send telemetry; use an ingestion key for that."
      path="keys"
      noun="personal key"
      purpose="Create one for each script or tool, so that you can revoke each separately."
      withRotation
      showSecret={({ key = '' }) => (
        <Stack gap={12}>
          <Snippet text={key} label="Personal API Access Key" autoFocus />
          <Snippet
            text={`curl ${apiUrl('dashboards')} -H 'Authorization: Bearer ${key}'`}
            label="curl line"
            caption="To try it"
          />
        </Stack>
      )}
    />
  );
}
