import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { withLocalTimes } from './instant-text.ts';
import { plainProblem } from './plain-problem.ts';

export interface ErrorNoticeProps {
  error: Error;
  onRetry?: () => void;
  /** Of the fields of a form, by path. */
  labels?: Readonly<Record<string, string>> | undefined;
}

/** Why something could not be shown or done, in the API's words. Errors are never hidden. */
export function ErrorNotice({ error, onRetry, labels }: ErrorNoticeProps) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={16} />} role="alert">
      <Group justify="space-between">
        <Text size="sm">{withLocalTimes(plainProblem(error.message, { labels }))}</Text>
        {onRetry ? (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
