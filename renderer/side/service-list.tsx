import { useLab } from '../store/lab-store.ts';
import { go, useView } from '../store/view-store.ts';
import { Row, Section } from './section.tsx';

const none: never[] = [];

export function ServiceList() {
  const services = useLab(({ status }) => status?.services ?? none);
  const current = useView(({ place }) => (place.kind === 'service' ? place.name : null));
  return (
    <Section title="Services" count={services.length}>
      <ul className="px-1">
        {services.map(({ name, pid, requests, effects }) => (
          <li key={name}>
            <Row
              isCurrent={current === name}
              title={`${requests} requests, ${effects} effects${pid === null ? '' : `, pid ${pid}`}`}
              onOpen={() => go({ kind: 'service', name })}
            >
              <span className={`w-3.5 shrink-0 text-center ${pid === null ? 'text-quiet' : 'text-done'}`}>
                <span aria-hidden="true">{pid === null ? '○' : '●'}</span>
                <span className="sr-only">{pid === null ? 'not running' : 'running'}</span>
              </span>
              <span className="truncate">{name}</span>
              <span className="ml-auto shrink-0 pr-1 text-[11px] text-quiet tabular-nums">
                {requests} req · {effects} eff
              </span>
            </Row>
          </li>
        ))}
      </ul>
    </Section>
  );
}
