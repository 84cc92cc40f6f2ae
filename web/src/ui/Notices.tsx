import { useNotifications } from '@mantine/notifications';
import { useLoadedOnPress } from './use-loaded-on-press.ts';

const load = async () => (await import('./NoticeList.tsx')).NoticeList;

/** What `notify.ts` says, in the corner of the page. */
export function Notices() {
  const { notifications } = useNotifications();
  const NoticeList = useLoadedOnPress(load, notifications.length > 0);
  return NoticeList ? <NoticeList /> : null;
}
