import { reasonInWords } from '@casefile/contracts/reason-codes';

/** A reason code in words. Hovering shows the code, for a search in the logs. */
export function Reason({ code }: { code: string }) {
  return <span title={code}>{reasonInWords(code)}</span>;
}
