import { Text } from '@mantine/core';
import { FrontDoor } from '../ui/FrontDoor.tsx';
import { ButtonLink } from '../ui/links.tsx';

export function NotFoundPage() {
  return (
    <FrontDoor title="Page not found">
      <Text size="sm">The address may be mistyped, or the page was deleted.</Text>
      <ButtonLink to="/">To the start</ButtonLink>
    </FrontDoor>
  );
}
