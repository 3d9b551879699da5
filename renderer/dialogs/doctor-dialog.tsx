import { useAnswer } from '../design/answer.ts';
import { Button } from '../design/button.tsx';
import { ErrorView, Loading } from '../design/states.tsx';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';

/** What this lab rests on, checked now. */
export function DoctorDialog() {
  const { value, error, again } = useAnswer('doctor', {});
  const wrong = value?.filter(({ ok }) => ok === false).length ?? 0;
  return (
    <DialogFrame
      title="Doctor"
      description="What this lab rests on, looked at now on the machine of the host."
      isWide
      actions={
        <>
          <Button onClick={again}>Check again</Button>
          <LeaveButton>Close</LeaveButton>
        </>
      }
    >
      {error !== null && <ErrorView error={error} retry={again} />}
      {value === null && error === null && <Loading what="the checks" />}
      {value !== null && (
        <>
          <p role="status" className={`mb-2 font-medium ${wrong === 0 ? 'text-done' : 'text-failed'}`}>
            {wrong === 0 ? 'Everything that must be there is there.' : `${wrong} of ${value.length} checks failed.`}
          </p>
          <ul className="divide-y divide-line/60">
            {value.map(({ name, ok, detail }) => (
              <li key={name} className="flex gap-2.5 py-1.5">
                <Sign ok={ok} />
                <div className="min-w-0 flex-1">
                  <p className="font-medium">{name}</p>
                  <p className="text-quiet wrap-anywhere">{detail}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </DialogFrame>
  );
}

function Sign({ ok }: { readonly ok: boolean | null }) {
  const { sign, colour, words } =
    ok === null
      ? { sign: '—', colour: 'text-quiet', words: 'not there, and need not be' }
      : ok
        ? { sign: '✓', colour: 'text-done', words: 'ok' }
        : { sign: '✕', colour: 'text-failed', words: 'failed' };
  return (
    <span className={`w-4 shrink-0 text-center font-semibold ${colour}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
