import { decodeExportTask, decompressTask } from './collector/decode-tasks.ts';
import { findMentionsTask, renderPayloadTask } from './notify/render/render-tasks.ts';
import { serveTasks } from './workers/serve-tasks.ts';

/** What runs in threads of the worker pool: every task of the program. */
serveTasks([decodeExportTask, decompressTask, renderPayloadTask, findMentionsTask]);
