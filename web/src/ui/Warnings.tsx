import { Text } from '@mantine/core';

/** What an answer says beside its values: each once, whatever part of the request it is about. */
export function Warnings({ warnings = [] }: { warnings?: readonly { message: string }[] | undefined }) {
  const messages = [...new Set(warnings.map(({ message }) => message))];
  return messages.map((message) => (
    <Text key={message} size="sm" role="status">
      {message}
    </Text>
  ));
}
