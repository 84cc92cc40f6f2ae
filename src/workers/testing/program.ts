import { serveTasks } from '../serve-tasks.ts';
import { testTasks } from './tasks.ts';

serveTasks(testTasks);
