import { runHttpService } from '../http-service.ts';
import { appendLine, auditLine, findLines, linesSchema } from './lines.ts';

runHttpService({
  name: 'audit-log',
  schema: linesSchema,
  path: '/lines',
  referenceHeader: 'Request-Reference',
  body: auditLine,
  work: appendLine,
  find: findLines,
});
