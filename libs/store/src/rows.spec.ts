import fc from 'fast-check';
import { recordOf } from './rows.js';

interface Note {
  caseId: string;
  until: string;
  givenAt: string | null;
  data: { at: string; case_id: number } | null;
}

const noteOf = recordOf<Note>()(['caseId', 'until', 'givenAt', 'data']);

describe('recordOf', () => {
  it('takes the names of the record, and leaves out columns that it does not have', () => {
    const row = {
      case_id: 'c',
      until: '2026-01-05T10:00:00+01:00',
      given_at: null,
      data: null,
      epoch: 3,
    };
    expect(noteOf(row)).toEqual({
      caseId: 'c',
      until: '2026-01-05T09:00:00.000Z',
      givenAt: null,
      data: null,
    });
    expect(Object.keys(noteOf(row))).toEqual(['caseId', 'until', 'givenAt', 'data']);
  });

  it('gives times as ISO 8601 as the driver and as JSON made by the server have them, and JSON as it is', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.boolean(), (time, isDate) => {
        const value = isDate ? time : time.toISOString().replace('Z', '+00:00');
        const data = { at: 'as it is', case_id: 1 };
        const note = noteOf({ case_id: 'c', until: value, given_at: value, data });
        expect(note).toEqual({
          caseId: 'c',
          until: time.toISOString(),
          givenAt: time.toISOString(),
          data,
        });
        expect(note.data).toBe(data);
      }),
    );
  });
});
