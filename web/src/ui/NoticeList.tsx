import { Notifications } from '@mantine/notifications';

/** What was said and not yet dismissed. */
export function NoticeList() {
  return <Notifications position="bottom-left" />;
}
