/** Whether the studio is there: told by the feed, which asks again and again. */

export const link = $state({
  lost: false,
  returns: 0, // how often it has come back; what was asked in vain is asked again when this changes
});
