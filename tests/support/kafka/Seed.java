import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Prepares a cluster for the tests. Reads commands from standard input, one a line:
 *
 * <pre>
 * topic NAME PARTITIONS [SETTING=VALUE …]
 * acl PRINCIPAL TOPIC|CLUSTER NAME OPERATION
 * cluster-default SETTING=VALUE
 * delete-records TOPIC PARTITION BEFORE_OFFSET
 * topics
 * </pre>
 *
 * `topics` prints the names of all topics, internal ones too. Run as {@code java -cp 'libs/*' Seed.java BOOTSTRAP}.
 */
public final class Seed {
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", arguments[0]);
        try (Admin admin = Admin.create(properties);
                BufferedReader commands = new BufferedReader(new InputStreamReader(System.in))) {
            List<NewTopic> topics = new ArrayList<>();
            List<AclBinding> acls = new ArrayList<>();
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.trim().split(" ");
                switch (words[0]) {
                    case "topic" -> {
                        Map<String, String> settings = new HashMap<>();
                        Arrays.stream(words).skip(3).map(word -> word.split("=", 2)).forEach(pair -> settings.put(pair[0], pair[1]));
                        topics.add(new NewTopic(words[1], Integer.parseInt(words[2]), (short) 1).configs(settings));
                    }
                    case "acl" -> acls.add(new AclBinding(
                            new ResourcePattern(ResourceType.valueOf(words[2]), words[3], PatternType.LITERAL),
                            new AccessControlEntry(words[1], "*", AclOperation.valueOf(words[4]), AclPermissionType.ALLOW)));
                    case "cluster-default" -> {
                        String[] pair = words[1].split("=", 2);
                        AlterConfigOp set = new AlterConfigOp(new ConfigEntry(pair[0], pair[1]), AlterConfigOp.OpType.SET);
                        ConfigResource everyBroker = new ConfigResource(ConfigResource.Type.BROKER, "");
                        admin.incrementalAlterConfigs(Map.of(everyBroker, List.of(set))).all().get();
                    }
                    case "delete-records" -> admin.deleteRecords(Map.of(
                            new TopicPartition(words[1], Integer.parseInt(words[2])),
                            RecordsToDelete.beforeOffset(Long.parseLong(words[3])))).all().get();
                    case "topics" -> admin.listTopics(new org.apache.kafka.clients.admin.ListTopicsOptions().listInternal(true))
                            .names().get().stream().sorted().forEach(System.out::println);
                    default -> throw new IllegalArgumentException(line);
                }
            }
            admin.createTopics(topics).all().get();
            admin.createAcls(acls).all().get();
        }
    }
}
