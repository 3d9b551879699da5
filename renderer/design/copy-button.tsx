import { useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button } from './button.tsx';

/** Puts a text on the clipboard, and says that it did. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  const Sign = isCopied ? Check : Copy;
  return (
    <Button
      look="quiet"
      aria-label={isCopied ? 'Copied' : `Copy ${what}`}
      className="px-1.5"
      onClick={() => void copy()}
    >
      <Sign size={13} aria-hidden="true" />
    </Button>
  );
}
