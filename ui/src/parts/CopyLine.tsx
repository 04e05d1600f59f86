// A line to copy into a terminal or a program.

import './copyline.css'

import { Check, Copy } from 'lucide-preact'
import { useState } from 'preact/hooks'

import { say } from './toast'

export function CopyLine({ label, line }: { label: string; line: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line)
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    } catch {
      say('The browser does not let this page copy', true, 'Select the text and copy it by hand')
    }
  }
  return (
    <div class="copyline">
      <header>
        <span>{label}</span>
        <button
          class="button quiet"
          type="button"
          onClick={() => void copy()}
          aria-label={`Copy the line for ${label}`}
        >
          {copied ? <Check size={16} /> : <Copy size={16} />}
          {copied ? 'Copied' : 'Copy'}
        </button>
      </header>
      <pre>{line}</pre>
    </div>
  )
}
