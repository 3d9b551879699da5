import { runHttpService } from '../http-service.ts';
import { appendLine, auditLine, linesSchema } from './lines.ts';

runHttpService({
  name: 'audit-log',
  schema: linesSchema,
  path: '/lines',
  referenceHeader: 'Request-Reference',
  body: auditLine,
  work: appendLine,
});
