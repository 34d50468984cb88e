import { createContext } from 'svelte';

import type { SessionView } from './session-view.svelte.ts';

/** The state of the session page, set by `SessionView.svelte` for everything inside it. */
export const [getSessionView, setSessionView] = createContext<SessionView>();
