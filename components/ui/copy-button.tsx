'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button';

interface CopyButtonProps {
  text: string | (() => string);
  label: string;
  copiedLabel: string;
  isIcon?: boolean;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label, copiedLabel, isIcon }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await copyText(typeof text === 'function' ? text() : text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  const icon = isCopied ? <Check className="size-4" /> : <Copy className="size-4" />;
  const status = (
    <span role="status" className="sr-only">
      {isCopied ? copiedLabel : ''}
    </span>
  );
  if (isIcon) {
    return (
      <>
        <IconButton size="sm" label={label} onClick={copy}>
          {icon}
        </IconButton>
        {status}
      </>
    );
  }
  return (
    <>
      <Button size="sm" onClick={copy}>
        {icon}
        {isCopied ? copiedLabel : label}
      </Button>
      {status}
    </>
  );
}

/** The clipboard API needs a secure context; a console on plain http falls back to a selected text area. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
