import { Page } from '../ui/Page.tsx';

export function AlertEditorPage() {
  return <Page title="AlertEditor">{null}</Page>;
}
