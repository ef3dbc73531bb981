#variable_conflict use_column
DECLARE
    leave_behind constant boolean := false;
    original constant regclass := @ORIGINAL_LITERAL@::regclass;
    staging regclass;
    obstacles text;
    column_list text;
    each record;
    rows_before bigint;
    keys_before bigint;
    rows_keyless bigint;
    rows_after bigint;
    keys_after bigint;
BEGIN
    IF (SELECT c.relkind <> 'r' FROM pg_catalog.pg_class AS c WHERE c.oid = original)
        OR EXISTS (SELECT FROM pg_catalog.pg_inherits AS i WHERE original IN (i.inhparent, i.inhrelid)) THEN
        RAISE EXCEPTION '% is not a plain table (a view, partitioned, a partition, or inherited): this script does not fit; nothing was changed', original;
    END IF;
    SELECT string_agg(f.what, ', ' ORDER BY f.what) INTO obstacles FROM (
        SELECT format('view %s', w.ev_class::regclass) AS what
        FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_rewrite AS w ON w.oid = d.objid
        WHERE d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
            AND d.refobjid = original AND w.ev_class <> original
        UNION SELECT format('rule %I', w.rulename) FROM pg_catalog.pg_rewrite AS w WHERE w.ev_class = original
        UNION SELECT format('foreign key %I of %s', k.conname, k.conrelid::regclass)
        FROM pg_catalog.pg_constraint AS k WHERE k.contype = 'f' AND original IN (k.conrelid, k.confrelid)
        UNION SELECT format('trigger %I', g.tgname) FROM pg_catalog.pg_trigger AS g WHERE g.tgrelid = original AND NOT g.tgisinternal
        UNION SELECT format('policy %I', p.polname) FROM pg_catalog.pg_policy AS p WHERE p.polrelid = original
        UNION SELECT 'row-level security' FROM pg_catalog.pg_class AS c WHERE c.oid = original AND c.relrowsecurity
        UNION SELECT format('publication %I', p.pubname)
        FROM pg_catalog.pg_publication_rel AS m JOIN pg_catalog.pg_publication AS p ON p.oid = m.prpubid WHERE m.prrelid = original
        UNION SELECT format('function %s', d.objid::regprocedure) FROM pg_catalog.pg_depend AS d
        WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = original
        UNION SELECT format('grants on column %I', a.attname)
        FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = original AND a.attacl IS NOT NULL AND NOT a.attisdropped
    ) AS f;
    IF obstacles IS NOT NULL AND NOT leave_behind THEN
        RAISE EXCEPTION 'these would stay with the back-up: %; nothing was changed', obstacles;
    END IF;

    SELECT count(*) INTO rows_before FROM ONLY @ORIGINAL@ AS r;
    SELECT count(*) INTO rows_keyless FROM ONLY @ORIGINAL@ AS r WHERE @NO_KEY@;
    SELECT count(*) INTO keys_before FROM (SELECT DISTINCT @COLUMNS@ FROM ONLY @ORIGINAL@ AS r WHERE @HAS_KEY@) AS k;
    IF rows_before = keys_before + rows_keyless THEN
        RAISE EXCEPTION '% has no duplicates among its % rows; nothing was changed', original, rows_before;
    END IF;

    CREATE TABLE @STAGING@ (LIKE @ORIGINAL@ INCLUDING ALL);
    staging := @STAGING_LITERAL@::regclass;
    IF (SELECT count(DISTINCT c.relnamespace) > 1 FROM pg_catalog.pg_class AS c WHERE c.oid IN (original, staging)) THEN
        RAISE EXCEPTION '% is not in the first schema of the search path: name its schema; nothing was changed', original;
    END IF;
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) INTO column_list
    FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = original AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '';
    EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s', staging, column_list, column_list) || @KEPT_LITERAL@;

    EXECUTE format('ALTER TABLE %s OWNER TO %I', staging,
        (SELECT pg_get_userbyid(c.relowner) FROM pg_catalog.pg_class AS c WHERE c.oid = original));
    FOR each IN SELECT DISTINCT g.grantee FROM pg_catalog.pg_class AS c, aclexplode(c.relacl) AS g WHERE c.oid = staging AND g.grantee <> c.relowner LOOP
        EXECUTE format('REVOKE ALL ON %s FROM %s', staging, CASE each.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(each.grantee)) END);
    END LOOP;
    FOR each IN SELECT g.* FROM pg_catalog.pg_class AS c, aclexplode(c.relacl) AS g WHERE c.oid = original AND g.grantee <> c.relowner LOOP
        EXECUTE format('GRANT %s ON %s TO %s%s', each.privilege_type, staging,
            CASE each.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(each.grantee)) END,
            CASE WHEN each.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
    END LOOP;
    FOR each IN
        SELECT a.attname, a.attidentity, pg_get_serial_sequence(original::text, a.attname) AS old, pg_get_serial_sequence(staging::text, a.attname) AS new
        FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = original AND a.attnum > 0 AND NOT a.attisdropped
    LOOP
        IF each.old IS NOT NULL AND each.attidentity = '' THEN
            EXECUTE format('ALTER SEQUENCE %s OWNED BY %s.%I', each.old, staging, each.attname);
        ELSIF each.old IS NOT NULL THEN
            EXECUTE format('SELECT setval(%L, s.last_value, s.is_called) FROM %s AS s', each.new, each.old);
        END IF;
    END LOOP;

    SELECT count(*) INTO rows_after FROM @STAGING@ AS r;
    SELECT count(*) INTO keys_after FROM (SELECT DISTINCT @COLUMNS@ FROM @STAGING@ AS r WHERE @HAS_KEY@) AS k;
    IF rows_after <> keys_before + rows_keyless OR keys_after <> keys_before THEN
        RAISE EXCEPTION 'counts do not fit: % keys and % rows without key were to stay, % rows with % keys would; nothing was changed',
            keys_before, rows_keyless, rows_after, keys_after;
    END IF;
    ALTER TABLE @ORIGINAL@ RENAME TO @BACKUP_NAME@;
    ALTER TABLE @STAGING@ RENAME TO @TABLE_NAME@;
    IF (SELECT count(*) FROM @ORIGINAL@ AS r) <> rows_after THEN
        RAISE EXCEPTION 'the table does not hold its % rows after the swap; nothing was changed', rows_after;
    END IF;
    RAISE NOTICE '% rows before, % rows after, % duplicates taken out', rows_before, rows_after, rows_before - rows_after;
END
