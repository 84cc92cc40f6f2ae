import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FrontDoor } from '../ui/FrontDoor.tsx';

export function NotFoundPage() {
  return (
    <FrontDoor title="Page not found">
      <Text size="sm">The address may be mistyped, or the page was deleted.</Text>
      <Button component={Link} to="/">
        To the start
      </Button>
    </FrontDoor>
  );
}
