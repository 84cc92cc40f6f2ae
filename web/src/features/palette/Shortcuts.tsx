import { useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { service } from '../../boot.ts';
import { servicePagesPath } from '../../service-place.ts';
import { sections } from '../../ui/sections.ts';
import { actionOf, isApple, takesText } from './key-press.ts';
import { showLayer, useLayer } from './layer-state.ts';
import { rememberPath } from './recent-paths.ts';

// What they consist of is loaded when it is first asked for.
const Palette = lazy(() => import('./Palette.tsx').then((module) => ({ default: module.Palette })));
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx').then((module) => ({ default: module.ShortcutSheet })));

/** How long `g` waits for its letter. */
const goMs = 1500;

/** The keys that work on every page, and what they open. */
export function Shortcuts() {
  const layer = useLayer();
  const close = () => showLayer(undefined);
  useKeys();
  useRemembered();
  useEffect(() => () => showLayer(undefined), []);
  return (
    <Suspense fallback={null}>
      {layer === 'palette' ? <Palette onClose={close} /> : null}
      {layer === 'sheet' ? <ShortcutSheet onClose={close} /> : null}
    </Suspense>
  );
}

function useKeys(): void {
  const navigate = useNavigate();
  const goingUntil = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const isGoing = event.timeStamp < goingUntil.current;
      const action = actionOf(event, { isTyping: takesText(event.target), isGoing, isApple });
      // What a part of the page has already done with a letter is done.
      if (!action || (event.defaultPrevented && action.type !== 'palette')) return;
      goingUntil.current = action.type === 'wait' ? event.timeStamp + goMs : 0;
      if (action.type === 'wait') return;
      const section = action.type === 'go' ? sections.find(({ letter }) => letter === action.letter) : undefined;
      if (action.type === 'go' && !section) return;
      event.preventDefault();
      if (section) void navigate({ to: section.to });
      else showLayer(action.type === 'palette' ? 'palette' : 'sheet');
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate]);
}

/** Where the person is goes to the head of what the palette offers first. */
function useRemembered(): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const userId = useSession()?.user?.id;
  useEffect(() => {
    if (userId) rememberPath(userId, path, service?.serviceId);
  }, [userId, path]);
  // Among organizations, a service is one place.
  useEffect(() => {
    if (userId && service) rememberPath(userId, servicePagesPath('/', service.organizationId, service.serviceId));
  }, [userId]);
}
