import { decodeExportTask, decompressTask } from './collector/decode-tasks.ts';
import { readJsonTask } from './http/json/read-json-task.ts';
import { findMentionsTask, renderPayloadTask } from './notify/render/render-tasks.ts';
import { serveTasks } from './workers/serve-tasks.ts';

/** What runs in threads of the worker pool: every task of the program. */
serveTasks([decodeExportTask, decompressTask, readJsonTask, renderPayloadTask, findMentionsTask]);
