import { alertInputSchema } from '@casefile/contracts';
import { alertFromForm, isEmptyForm, type AlertForm } from './alert-form.js';

const form = (over: Partial<AlertForm>): AlertForm => ({
  playbook: '',
  text: '',
  fields: {},
  payload: '',
  image: null,
  clarify: null,
  ...over,
});

describe('S2-32 an alert by hand', () => {
  it('is an alert that intake takes', () => {
    const image = { name: 'a.png', mediaType: 'image/png' as const, base64: 'aGk=', bytes: 2 };
    const alert = alertFromForm(
      form({ playbook: 'scam-verdict', text: 'Pay now', payload: '{"a":1}', image }),
      [],
    );
    expect(alertInputSchema.parse(alert)).toEqual({
      source: 'console',
      playbook: 'scam-verdict',
      text: 'Pay now',
      image: { mediaType: 'image/png', base64: 'aGk=' },
      payload: { a: 1 },
    });
  });

  it('has only what was filled in', () => {
    expect(alertFromForm(form({ text: ' Pay now ' }), [])).toEqual({ source: 'console', text: ' Pay now ' });
  });

  it('S5-25 lets the run ask back where its kind does, and a payload that says otherwise stands', () => {
    expect(alertFromForm(form({ text: 'When?', clarify: true }), []).payload).toEqual({ clarify: true });
    expect(alertFromForm(form({ text: 'When?', clarify: false }), []).payload).toBeUndefined();
    expect(alertFromForm(form({ payload: '{"clarify":false}', clarify: true }), []).payload).toEqual({
      clarify: false,
    });
  });

  it('has the fields of its kind, and further fields as JSON', () => {
    const amount = { label: 'Amount', help: '', isRequired: true, choices: [], min: 0, max: null };
    const fields = [{ ...amount, path: ['amount'], input: 'number' as const, isWhole: false, example: null }];
    const typed = form({ playbook: 'invoice-check', fields: { amount: '7.5' }, payload: '{"note":"n"}' });
    expect(alertFromForm(typed, fields).payload).toEqual({ note: 'n', amount: 7.5 });
    expect(isEmptyForm(form({ fields: { amount: ' ' } }))).toBe(true);
  });

  it.each(['{', '[1]', '1', 'null'])('refuses the payload %s before it is sent', (payload) => {
    expect(() => alertFromForm(form({ payload }), [])).toThrow(/payload/);
  });
});
