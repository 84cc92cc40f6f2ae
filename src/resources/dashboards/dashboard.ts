import type { Static } from 'typebox';
import type { DashboardSchema } from '../../contract/dashboard.ts';

/** The stored document is the wire document: written form kept, absent stays absent (decisions D5). */
export type Dashboard = Static<typeof DashboardSchema>;
