import { notifications } from '@mantine/notifications';
import { withLocalTimes } from './instant-text.ts';
import { plainProblem } from './plain-problem.ts';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Says that something was done. */
export function showDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 3000, closeButtonProps });
}

/** Says that something was not done, and why. */
export function showFailure(error: unknown): void {
  const message = error instanceof Error ? withLocalTimes(plainProblem(error.message)) : 'Something went wrong.';
  notifications.show({ message, color: 'red', autoClose: 8000, closeButtonProps });
}
