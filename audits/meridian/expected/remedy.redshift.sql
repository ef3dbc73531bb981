-- Table "analytics"."user_engagement", key event_id, written by user-engagement / redshift
-- Rows are duplicates if every key column is equal. A row with a NULL in a key column has no identity: it is kept, and is no duplicate of any other.
-- Of equal keys the row with the earliest "ingest_timestamp" stays, NULL counting as the latest. Of rows that are equal in that too Redshift keeps any one; where they can differ in other columns, add those columns after "ingest_timestamp" in each ORDER BY.

-- 1. How many rows are there twice? Only reads.
SELECT
    (SELECT count(*) FROM "analytics"."user_engagement") AS rows_in_all,
    (SELECT count(*) FROM "analytics"."user_engagement" AS r WHERE r."event_id" IS NULL) AS rows_without_key,
    count(*) AS keys_with_duplicates,
    coalesce(sum(d.n - 1), 0) AS surplus_rows
FROM (
    SELECT count(*) AS n
    FROM "analytics"."user_engagement" AS r
    WHERE r."event_id" IS NOT NULL
    GROUP BY r."event_id"
    HAVING count(*) > 1
) AS d;

-- 2. On which days were they written again (UTC)? Only reads; the column has to be a date or a timestamp.
SET timezone TO 'UTC';
SELECT CAST(w.ingested AS date) AS written_on, count(*) AS surplus_rows
FROM (
    SELECT r."ingest_timestamp" AS ingested,
        row_number() OVER (PARTITION BY r."event_id" ORDER BY r."ingest_timestamp" NULLS LAST) AS n
    FROM "analytics"."user_engagement" AS r
    WHERE r."event_id" IS NOT NULL
) AS w
WHERE w.n > 1
GROUP BY 1
ORDER BY 1;
RESET timezone;

-- 3. Take them out. This CHANGES the table.
-- Stop what writes here first: the lock holds back reads and writes until the end, and what waits for it can be aborted.
-- Run it in one session that obeys BEGIN and COMMIT. After an error nothing is changed: end with ROLLBACK. `division by zero` is the guard: the
-- counts do not fit, or there are no duplicates.
-- LIKE copies columns, NOT NULL and defaults, and inherits distribution style, sort keys and BACKUP. It does not inherit primary and foreign
-- keys, and nothing carries over grants, owner and comments; what refers to the table (views with schema binding, foreign keys of other
-- tables) stays with the back-up. Make all of these again before COMMIT: what writes here (such as the user of a Firehose stream) needs its
-- grants. Compare encodings and IDENTITY columns of the two tables before COMMIT too. List the grants with:
--   SHOW GRANTS ON TABLE "analytics"."user_engagement";
-- An IDENTITY(seed, step) column takes no values from an INSERT: with one, name the other columns in both INSERT statements; its values are then new.
BEGIN;
LOCK TABLE "analytics"."user_engagement";
CREATE TABLE "analytics"."user_engagement_ttl_audit_staging" (LIKE "analytics"."user_engagement" INCLUDING DEFAULTS);
INSERT INTO "analytics"."user_engagement_ttl_audit_staging"
SELECT r.*
FROM "analytics"."user_engagement" AS r
WHERE r."event_id" IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY r."event_id" ORDER BY r."ingest_timestamp" NULLS LAST) = 1;
INSERT INTO "analytics"."user_engagement_ttl_audit_staging"
SELECT r.*
FROM "analytics"."user_engagement" AS r
WHERE r."event_id" IS NULL;
-- The guard, before the swap: as many rows as there are keys, and rows without key; and fewer than there were.
SELECT 1 / CASE
    WHEN (SELECT count(*) FROM "analytics"."user_engagement_ttl_audit_staging") =
        (SELECT count(*) FROM (SELECT DISTINCT r."event_id" FROM "analytics"."user_engagement" AS r WHERE r."event_id" IS NOT NULL) AS k)
        + (SELECT count(*) FROM "analytics"."user_engagement" AS r WHERE r."event_id" IS NULL)
    AND (SELECT count(*) FROM "analytics"."user_engagement_ttl_audit_staging") < (SELECT count(*) FROM "analytics"."user_engagement")
    THEN 1 ELSE 0 END AS counts_fit;
ALTER TABLE "analytics"."user_engagement" RENAME TO "user_engagement_ttl_audit_backup";
ALTER TABLE "analytics"."user_engagement_ttl_audit_staging" RENAME TO "user_engagement";
-- The guard, after the swap: the new table still has one row for each key of the back-up, and the rows without key.
SELECT 1 / CASE
    WHEN (SELECT count(*) FROM "analytics"."user_engagement") =
        (SELECT count(*) FROM (SELECT DISTINCT r."event_id" FROM "analytics"."user_engagement_ttl_audit_backup" AS r WHERE r."event_id" IS NOT NULL) AS k)
        + (SELECT count(*) FROM "analytics"."user_engagement_ttl_audit_backup" AS r WHERE r."event_id" IS NULL)
    THEN 1 ELSE 0 END AS counts_fit_after;
COMMIT;
SELECT (SELECT count(*) FROM "analytics"."user_engagement_ttl_audit_backup") AS rows_before, (SELECT count(*) FROM "analytics"."user_engagement") AS rows_after;
-- The original is kept as "analytics"."user_engagement_ttl_audit_backup". Drop it when the new table has been checked.
