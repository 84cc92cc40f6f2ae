import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { withLocalTimes } from './instant-text.ts';
import { plainProblem } from './plain-problem.ts';

/** Why something could not be shown or done, in the API's words. Errors are never hidden. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={16} />} role="alert">
      <Group justify="space-between">
        <Text size="sm">{withLocalTimes(plainProblem(error.message))}</Text>
        {onRetry ? (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
